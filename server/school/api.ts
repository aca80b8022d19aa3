import type { Actor } from '#server/platform/auth/sign-in.ts';
import type { Database } from '#server/platform/db/engine.ts';
import { handle } from '#server/school/context.ts';
import { schoolChoices } from './admin-schools.ts';
import { offered } from './archive.ts';
import { dayOf } from './calendar.ts';
import { classifyOptions, gradeOptions, roomOptions, subjectOptions } from './contract.ts';
import { addHolidays, listHolidays, removeHoliday } from './holidays.contract.ts';
import { addDays, holidaysOfYear, removeDay } from './holidays.ts';
import { classesAssistedBy } from './reach.ts';
import {
  addSchoolRecord,
  deleteSchoolRecord,
  editSchoolRecord,
  listSchoolRecords,
  putAwaySchoolRecord,
  restoreSchoolRecord,
  showSchoolRecord,
} from './schools.contract.ts';
import { addSchool, deleteSchool, editSchool, putAwaySchool, restoreSchool } from './schools-changes.ts';
import { schoolPage, schoolRecord } from './schools-list.ts';
import {
  saveKeepingSettings,
  saveLiveSettings,
  saveLogo,
  saveMessageSettings,
  saveSchoolSettings,
  saveSignInSettings,
  showSettings,
  tryLive,
  tryMessages,
} from './settings.contract.ts';
import {
  keepLogo,
  readSettings,
  saveKeeping,
  saveLive,
  saveMessages,
  saveSchool,
  saveSignIn,
  tryLiveService,
  tryMessage,
} from './settings-changes.ts';
import {
  addToken,
  endToken,
  endWebhook,
  listTokens,
  replayWebhook,
  setWebhook,
  showToken,
  showWebhook,
  tokenSchools,
} from './tokens.contract.ts';
import { makeToken, stopToken, tokenOf, tokenPage } from './tokens.ts';
import { keepWebhook, replay, stopWebhook, webhookOf } from './webhooks.ts';

/** What administrators say of the whole. What another service is asked for needs no transaction. */
export const settingsCalls = [
  handle(showSettings, readSettings),
  handle(saveSchoolSettings, ({ body, ...context }) => saveSchool(context, body)),
  handle(saveLogo, { prepare: ({ body, ...context }) => keepLogo(context, body.logo) }),
  handle(saveSignInSettings, ({ body, ...context }) => saveSignIn(context, body)),
  handle(saveKeepingSettings, ({ body, ...context }) => saveKeeping(context, body)),
  handle(saveMessageSettings, ({ body, ...context }) => saveMessages(context, body)),
  handle(tryMessages, { prepare: ({ body, ...context }) => tryMessage(context, body) }),
  handle(saveLiveSettings, ({ body, ...context }) => saveLive(context, body)),
  handle(tryLive, { prepare: ({ body, ...context }) => tryLiveService(context, body) }),
  handle(listTokens, ({ query, ...context }) => tokenPage(context, query)),
  handle(tokenSchools, ({ db, actor }) => schoolChoices(db, actor)),
  handle(showToken, ({ params, ...context }) => tokenOf(context, params.id)),
  handle(addToken, ({ body, ...context }) => makeToken(context, body)),
  handle(endToken, ({ params, ...context }) => stopToken(context, params.id)),
  handle(showWebhook, ({ params, ...context }) => webhookOf(context, params.id)),
  handle(setWebhook, ({ params, body, ...context }) => keepWebhook(context, params.id, body)),
  handle(endWebhook, ({ params, ...context }) => stopWebhook(context, params.id)),
  handle(replayWebhook, ({ params, body, ...context }) => replay(context, params.id, body.since)),
  handle(listHolidays, ({ db, query, now, settings }) =>
    holidaysOfYear(db, query.year ?? Number(dayOf(now, settings.timezone).slice(0, 4))),
  ),
  handle(addHolidays, ({ body, ...context }) => addDays(context, body)),
  handle(removeHoliday, ({ params, ...context }) => removeDay(context, params.id)),
];

/** What is put away is no longer offered. */
export const schoolCalls = [
  handle(classifyOptions, ({ db }) => classifies(db)),
  handle(gradeOptions, ({ db }) =>
    db
      .selectFrom('grade')
      .select(['id', 'name'])
      .where('put_away_at', 'is', null)
      .orderBy('sort')
      .orderBy('id')
      .execute(),
  ),
  handle(subjectOptions, ({ db }) =>
    db
      .selectFrom('subject')
      .select(['id', 'name'])
      .where('put_away_at', 'is', null)
      .orderBy('sort')
      .orderBy('id')
      .execute(),
  ),
  handle(roomOptions, ({ db, actor }) => roomsSeenBy(db, actor)),
];

/** The rooms of the actor's school and of the group classes that they see, with the school's name where there are several. */
async function roomsSeenBy(db: Database, actor: Actor) {
  const rooms = await db
    .selectFrom('room')
    .innerJoin('school', 'school.id', 'room.school_id')
    .select(['room.id', 'room.name', 'room.school_id', 'school.org_name'])
    .where((eb) =>
      eb.or([
        eb('room.school_id', '=', actor.schoolId),
        eb(
          'room.id',
          'in',
          db
            .selectFrom('team_class')
            .select('team_class.room_id')
            .where('team_class.room_id', 'is not', null)
            .where('team_class.class_id', 'in', classesAssistedBy(db, actor))
            .$narrowType<{ room_id: number }>(),
        ),
      ]),
    )
    .where('room.put_away_at', 'is', null)
    .orderBy((eb) => eb.case().when('room.school_id', '=', actor.schoolId).then(0).else(1).end())
    .orderBy('room.school_id')
    .orderBy('room.sort')
    .orderBy('room.id')
    .execute();
  const isOneSchool = new Set(rooms.map(({ school_id }) => school_id)).size < 2;
  return rooms.map(({ id, name, org_name }) => ({ id, name: isOneSchool ? name : `${name}（${org_name}）` }));
}

async function classifies(db: Database) {
  const all = await db
    .selectFrom('classify')
    .select(['id', 'name', 'parent_id', 'put_away_at'])
    .orderBy('sort')
    .orderBy('id')
    .execute();
  return offered(all).map(({ id, name }) => ({ id, name }));
}

export const schoolRecordCalls = [
  handle(listSchoolRecords, ({ query, ...context }) => schoolPage(context, query)),
  handle(showSchoolRecord, ({ params, ...context }) => schoolRecord(context, params.id)),
  handle(addSchoolRecord, ({ body, ...context }) => addSchool(context, body)),
  handle(editSchoolRecord, ({ params, body, ...context }) => editSchool(context, params.id, body)),
  handle(putAwaySchoolRecord, ({ params, body, ...context }) => putAwaySchool(context, params.id, body.acknowledged)),
  handle(restoreSchoolRecord, ({ params, ...context }) => restoreSchool(context, params.id)),
  handle(deleteSchoolRecord, ({ params, ...context }) => deleteSchool(context, params.id)),
];
