export { up } from '#server/schema/migrations/0006-question-tags.ts';
