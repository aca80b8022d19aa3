export { up } from '#server/schema/migrations/0004-membership-changes.ts';
