export { up } from '#server/schema/migrations/0008-learner-identities.ts';
