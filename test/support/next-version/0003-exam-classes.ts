export { up } from '#server/schema/migrations/0003-exam-classes.ts';
