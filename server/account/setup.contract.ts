/** The call that sets up an empty school, before anybody can sign in. */

import * as v from 'valibot';
import { OneLine, TypedText } from '#server/platform/calls/fields.ts';
import { lengthOf } from '#server/platform/text/rules.ts';
import { schoolNameLimit } from '#server/schools/rules.ts';
import { accountMessages, passwordFault, setupMessages } from './rules.ts';
import { CompleteStaff } from './staff.contract.ts';

export const WrittenSetup = v.object({
  school_name: TypedText,
  timezone: TypedText,
  real_name: TypedText,
  username: TypedText,
  password: v.fallback(v.string(), ''),
  password_confirmation: v.fallback(v.string(), ''),
});
export type WrittenSetup = v.InferOutput<typeof WrittenSetup>;

const { real_name, username } = CompleteStaff.entries;

export const CompleteSetup = v.pipe(
  v.object({
    school_name: v.pipe(
      OneLine,
      v.nonEmpty(setupMessages.noSchool),
      v.check((name) => lengthOf(name) <= schoolNameLimit, setupMessages.schoolLength),
    ),
    timezone: v.string(),
    real_name,
    username,
    password: v.pipe(
      v.string(),
      v.check((password) => passwordFault(password) === undefined, accountMessages.passwordRule),
    ),
    password_confirmation: v.string(),
  }),
  v.forward(
    v.check(({ password, password_confirmation }) => password === password_confirmation, accountMessages.repetition),
    ['password_confirmation'],
  ),
);

export const setupPath = (code: string): string => `/api/setup/${encodeURIComponent(code)}`;
