export { up } from '#server/schema/migrations/0005-question-corrections.ts';
