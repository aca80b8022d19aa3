export { up } from '#server/schema/migrations/0004-question-corrections.ts';
