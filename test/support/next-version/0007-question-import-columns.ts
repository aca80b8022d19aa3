export { up } from '#server/schema/migrations/0007-question-import-columns.ts';
