export { up } from '#server/schema/migrations/0002-learner-passwords.ts';
