/** Selects the answers stored for idempotency keys that name the person. They live for a day. */
import type { Database } from '#server/platform/db/engine.ts';
import { containsAnyText, type Person, type PersonalTable } from '#server/platform/db/privacy.ts';

const answers = (db: Database, { texts }: Person) =>
  db.selectFrom('accepted_request').where(containsAnyText('answer', texts));

export const personalRequests: readonly PersonalTable[] = [
  {
    table: 'accepted_request',
    becomes: 'deleted',
    rows: answers,
    isOthers: 1,
    async erase(db, { texts }) {
      await db.deleteFrom('accepted_request').where(containsAnyText('answer', texts)).execute();
      return [];
    },
  },
];
