/** Administrators list the links of learners, and decide about the accounts that wait. */
import { studentsOfAnyNumber } from '#server/learners/students-of-number.ts';
import { conflict, invalid, isRefusal, missing, type Refusal, refuseFor } from '#server/platform/calls/outcome.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { recordHistory } from '#server/platform/db/history.ts';
import { forUpdate } from '#server/platform/db/lock.ts';
import { pageOf } from '#server/platform/db/page.ts';
import { containsText, nameContains } from '#server/platform/db/search.ts';
import type { RuleContext } from '#server/school/context.ts';
import type { LinkFilter } from './contract.ts';
import type { LearnerLinkRow } from './learner-links.contract.ts';
import { endLearnerProviderSessions, isLinkedLearner, pendingLearnerLinks } from './learner-links.ts';
import { everySchool } from './links.ts';
import { readProviderNames } from './provider.ts';
import {
  decideFault,
  learnerAlreadyLinkedMessage,
  learnerLinkMessages,
  missingLearnerLink,
  rejectFault,
  severalLearnersMessage,
  unlinkFault,
} from './rules.ts';

type RequestContext = RuleContext<'actor' | 'now'>;

/** Counts the requests of learners that wait for this administrator. */
export const pendingLearnerRequests = async ({ db, actor }: Pick<RequestContext, 'db' | 'actor'>): Promise<number> =>
  actor.everySchool ? pendingLearnerLinks(db) : 0;

const rows = (db: Database) =>
  db
    .selectFrom('learner_link')
    .leftJoin('student', (join) =>
      join.onRef('student.id', '=', 'learner_link.student_id').on('student.deleted_at', 'is', null),
    )
    .leftJoin('school', 'school.id', 'student.school_id')
    .select([
      'learner_link.id',
      'learner_link.provider',
      'learner_link.number',
      'learner_link.name',
      'learner_link.state',
      'learner_link.created_at',
      'learner_link.used_at',
      'student.id as student_id',
      'student.nickname',
      'student.number as student_number',
      'school.org_name',
    ]);
type StoredLink = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

async function toRows(db: Database, found: readonly StoredLink[]): Promise<LearnerLinkRow[]> {
  const nameOf = await readProviderNames(db);
  return found.map(({ student_id, nickname, student_number, org_name, ...row }) => ({
    ...row,
    provider_name: nameOf(row.provider),
    student:
      student_id === null
        ? null
        : { id: student_id, nickname: nickname ?? '', number: student_number ?? '', school_name: org_name ?? '' },
  }));
}

/** Lists links and requests. 403: not an administrator of all schools. */
export async function learnerLinkPage(
  context: RequestContext,
  { name, state, provider, ...paging }: LinkFilter,
): Promise<Page<LearnerLinkRow> | Refusal> {
  const refusal = everySchool(context);
  if (refusal) return refusal;
  const { db } = context;
  let query = rows(db);
  if (name !== undefined) {
    query = query.where((eb) =>
      eb.or([
        nameContains('learner_link.name', name),
        containsText('learner_link.number', name),
        nameContains('student.nickname', name),
      ]),
    );
  }
  if (state !== undefined) query = query.where('learner_link.state', '=', state);
  if (provider !== undefined) query = query.where('learner_link.provider', '=', provider);
  const found = await pageOf(query.clearSelect(), paging, query.orderBy('learner_link.id', 'desc'));
  return { ...found, list: await toRows(db, found.list) };
}

/** Returns one link. 403: not an administrator of all schools. 404: no such link. */
export async function findLearnerLink(context: RequestContext, id: number): Promise<LearnerLinkRow | Refusal> {
  const refusal = everySchool(context);
  if (refusal) return refusal;
  const found = await rows(context.db).where('learner_link.id', '=', id).executeTakeFirst();
  const [link] = found ? await toRows(context.db, [found]) : [];
  return link ?? missing(missingLearnerLink);
}

/** Loads the link and locks it. */
async function lockedLink(context: RequestContext, id: number) {
  const refusal = everySchool(context);
  if (refusal) return refusal;
  const { db } = context;
  const link = await forUpdate(db)(db.selectFrom('learner_link').selectAll().where('id', '=', id)).executeTakeFirst();
  return link ?? missing(missingLearnerLink);
}

/**
 * Approves a request and links it to a learner. 404: no such link. 422: no such learner, several with this number, or a
 * disabled one. 409: already decided, or the learner has another link.
 */
export async function approveLearnerRequest(
  context: RequestContext,
  id: number,
  typed: { number: string; school_id?: number | undefined },
): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const link = await lockedLink(context, id);
  if (isRefusal(link)) return link;
  const refusal = refuseFor('conflict', decideFault(link, '学员'));
  if (refusal) return refusal;
  const studentId = await typedLearner(db, typed);
  if (isRefusal(studentId)) return studentId;
  await forUpdate(db)(db.selectFrom('student').select('id').where('id', '=', studentId)).execute();
  if (await isLinkedLearner(db, { kind: link.provider, realm: link.realm }, studentId)) {
    return conflict(learnerAlreadyLinkedMessage((await readProviderNames(db))(link.provider)));
  }
  const linked = { student_id: studentId, state: 'linked', is_undecided: 0 } as const;
  await db.updateTable('learner_link').set(linked).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'learner_link',
    recordId: id,
    action: 'approve',
    before: { student_id: null },
    after: { provider: link.provider, number: link.number, student_id: studentId },
  });
  return null;
}

/** Finds the learner by student number or mobile number. */
async function typedLearner(
  db: Database,
  { number, school_id }: { number: string; school_id?: number | undefined },
): Promise<number | Refusal> {
  if (number.trim() === '') return invalid({ number: [learnerLinkMessages.noNumber] });
  const found = await studentsOfAnyNumber(db, number)
    .innerJoin('school', 'school.id', 'student.school_id')
    .select(['student.id', 'student.nickname', 'student.disabled_at', 'school.org_name as school'])
    .$if(school_id !== undefined, (query) => query.where('student.school_id', '=', school_id ?? 0))
    .limit(maxNamed)
    .execute();
  const able = found.filter(({ disabled_at }) => disabled_at === null);
  const [student, another] = able;
  if (another) return invalid({ number: [severalLearnersMessage(able)] });
  if (student) return student.id;
  return invalid({ number: [found.length > 0 ? learnerLinkMessages.disabled : learnerLinkMessages.unknown] });
}
/** Maximum students with one number that are read; the sentence names fewer. */
const maxNamed = 20;

/** Rejects a request. 404: no such link. 409: already decided. */
export async function rejectLearnerRequest(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const link = await lockedLink(context, id);
  if (isRefusal(link)) return link;
  const refusal = refuseFor('conflict', rejectFault(link, '学员'));
  if (refusal) return refusal;
  await db.updateTable('learner_link').set({ state: 'rejected', is_undecided: 0 }).where('id', '=', id).execute();
  await recordHistory(db, {
    actor,
    now,
    record: 'learner_link',
    recordId: id,
    action: 'reject',
    before: null,
    after: { provider: link.provider, number: link.number },
  });
  return null;
}

/** Removes a learner's link and ends their sign-ins by that provider. 404: no such link. 409: not linked. */
export async function unlinkLearnerAccount(context: RequestContext, id: number): Promise<null | Refusal> {
  const { db, actor, now } = context;
  const link = await lockedLink(context, id);
  if (isRefusal(link)) return link;
  const refusal = refuseFor('conflict', unlinkFault(link, '学员'));
  if (refusal) return refusal;
  const { student_id, provider, realm, subject, number } = link;
  const unlinked = { student_id: null, state: 'waiting', is_undecided: 0 } as const;
  await db.updateTable('learner_link').set(unlinked).where('id', '=', id).execute();
  await endLearnerProviderSessions(db, { provider, realm, subject }, { now });
  await recordHistory(db, {
    actor,
    now,
    record: 'learner_link',
    recordId: id,
    action: 'remove',
    before: { student_id },
    after: { provider, number, student_id: null },
  });
  return null;
}
