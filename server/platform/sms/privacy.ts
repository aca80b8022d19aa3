/** Personal data in the outbox: text messages to a person or their contacts, and undelivered webhook messages. */
import type { Database } from '#server/platform/db/engine.ts';
import type { Person, PersonalTable } from '#server/platform/db/privacy.ts';

/**
 * Selects the messages to the person. Siblings may share a number, so messages recorded for another student are left
 * out.
 */
const messages = (db: Database, { id, texts }: Person) =>
  db
    .selectFrom('sms_outbox')
    .where((eb) =>
      eb.or([
        eb('student_id', '=', id),
        eb('lane', 'like', `% ${id}`),
        ...(texts.length > 0 ? [eb.and([eb('student_id', 'is', null), eb('mobile', 'in', [...texts])])] : []),
      ]),
    );

export const personalMessages: readonly PersonalTable[] = [
  {
    table: 'sms_outbox',
    becomes: 'deleted',
    rows: messages,
    async erase(db, who) {
      await db.deleteFrom('sms_outbox').where('id', 'in', messages(db, who).select('id')).execute();
      return [];
    },
  },
];
