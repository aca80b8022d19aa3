export { up } from '#server/schema/migrations/0001-baseline.ts';
