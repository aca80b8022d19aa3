export { up } from '#server/schema/migrations/0009-question-merges.ts';
