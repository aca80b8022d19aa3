import { countAttempt, type Limit, resetAttempts } from '#server/platform/auth/attempts.ts';
import { hashPassword } from '#server/platform/auth/password.ts';
import { TransactionWork } from '#server/platform/calls/bind.ts';
import { invalid, isRefusal, Refusal } from '#server/platform/calls/outcome.ts';
import { schoolChoices } from '#server/school/admin-schools.ts';
import { handle } from '#server/school/context.ts';
import {
  listDevices,
  showOwnProfile,
  signOutDevice,
  signOutOthers,
  updatePassword,
  updateProfile,
} from './contract.ts';
import { activeSignIns, endOtherDevices, endSignIn } from './devices.ts';
import { resetPassword, setFirstPasswords } from './first-passwords.ts';
import { comparePasswords, passwordFormErrors, replacePassword } from './password.ts';
import { ownProfile, saveProfile, storeAvatar } from './profile.ts';
import { accountMessages } from './rules.ts';
import {
  beginSecondFactor,
  confirmSignIn,
  renewRecoveryCodes,
  resetSecondFactor,
  showSecondFactor,
  turnSecondFactorOff,
  turnSecondFactorOn,
} from './second-factor.contract.ts';
import {
  beginEnrolment,
  completeSignIn,
  ownSecondFactor,
  renewRecoveryCodesOf,
  resetSecondFactorOf,
  turnOffSecondFactor,
  turnOnSecondFactor,
  withCodeAttempt,
} from './second-factor.ts';
import {
  addStaffMember,
  disableStaffMember,
  editStaffMember,
  enableStaffMember,
  endStaffSignIns,
  firstPasswords,
  listStaff,
  resetStaffPassword,
  showStaff,
  staffSchools,
} from './staff.contract.ts';
import { addMember, disableMember, editMember, enableMember, endMembersSignIns } from './staff-changes.ts';
import { staffPage } from './staff-list.ts';
import { showMember } from './staff-record.ts';

/** Rate limit of wrong old passwords per person (window in seconds). */
const guesses: Limit = { kind: 'old-password', max: 10, window: 600 };

export const staffCalls = [
  handle(listStaff, ({ db, actor, query }) => staffPage(db, actor, query)),
  handle(staffSchools, ({ db, actor }) => schoolChoices(db, actor)),
  handle(showStaff, ({ params, ...context }) => showMember(context, params.id)),
  handle(addStaffMember, ({ body, ...context }) => addMember(context, body)),
  handle(editStaffMember, ({ params, body, ...context }) => editMember(context, params.id, body)),
  handle(disableStaffMember, ({ params, body, ...context }) => disableMember(context, params.id, body.acknowledged)),
  handle(enableStaffMember, ({ params, ...context }) => enableMember(context, params.id)),
  handle(endStaffSignIns, ({ params, ...context }) => endMembersSignIns(context, params.id)),
  handle(resetStaffPassword, { prepare: ({ params, ...context }) => resetPassword(context, params.id) }),
  handle(resetSecondFactor, ({ params, ...context }) => resetSecondFactorOf(context, params.id)),
  handle(firstPasswords, { prepare: ({ body, ...context }) => setFirstPasswords(context, body.ids) }),
];

export const secondFactorCalls = [
  handle(confirmSignIn, {
    prepare: ({ body, ...context }) =>
      withCodeAttempt(context, (asked) => completeSignIn({ ...asked, log: context.log }, body.code)),
  }),
  handle(showSecondFactor, ownSecondFactor),
  handle(beginSecondFactor, beginEnrolment),
  handle(turnSecondFactorOn, {
    prepare: ({ body, ...context }) => withCodeAttempt(context, (asked) => turnOnSecondFactor(asked, body)),
  }),
  handle(turnSecondFactorOff, {
    prepare: ({ body, ...context }) => withCodeAttempt(context, (asked) => turnOffSecondFactor(asked, body.code)),
  }),
  handle(renewRecoveryCodes, {
    prepare: ({ body, ...context }) => withCodeAttempt(context, (asked) => renewRecoveryCodesOf(asked, body.code)),
  }),
];

export const accountCalls = [
  handle(showOwnProfile, ({ db, actor }) => ownProfile(db, actor)),
  handle(updateProfile, {
    async prepare({ db, actor, body, storage, now }) {
      const { avatar: present } = await ownProfile(db, actor);
      const avatar = await storeAvatar(storage, { present, sent: body.avatar });
      if (isRefusal(avatar)) return avatar;
      return new TransactionWork((trx) => saveProfile(trx, actor, { ...body, avatar }, now));
    },
  }),
  handle(updatePassword, {
    async prepare({ db, actor, body, now, policy }) {
      const errors = passwordFormErrors(body, actor);
      // Refuses in the transaction only: a form posted twice gets its first answer again.
      if (Object.keys(errors).length > 0) return new TransactionWork(async () => invalid(errors));
      // The attempt is counted before the password is checked, so that parallel guesses count too.
      const key = String(actor.id);
      if ((await countAttempt(db, guesses, key, now)) !== undefined)
        return new Refusal('too-many', accountMessages.tooManyOldPasswords, { retryAfter: guesses.window });
      const { password_hash: before } = await db
        .selectFrom('staff')
        .select('password_hash')
        .where('id', '=', actor.id)
        .executeTakeFirstOrThrow();
      const refusal = await comparePasswords(before, body, actor);
      if (!refusal) await resetAttempts(db, guesses, key);
      const after = refusal ? '' : await hashPassword(body.new_password);
      return new TransactionWork(async (trx) => refusal ?? replacePassword(trx, actor, { before, after, now, policy }));
    },
  }),
  handle(listDevices, activeSignIns),
  handle(signOutDevice, ({ params, ...context }) => endSignIn(context, params.id)),
  handle(signOutOthers, endOtherDevices),
];
