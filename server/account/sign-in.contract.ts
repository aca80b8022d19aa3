/** Signing in and out (outside the role prefixes), and the current user. */
import * as v from 'valibot';
import { identities, permissions } from '#server/platform/auth/rules.ts';
import { FlagNumber, withoutControls } from '#server/platform/calls/fields.ts';
import { callOfAllIdentities } from '#server/school/call.ts';
import { signInMessages } from './rules.ts';

export const Credentials = v.object({
  username: v.pipe(
    v.optional(v.string(signInMessages.noName), ''),
    withoutControls,
    v.trim(),
    v.nonEmpty(signInMessages.noName),
    v.maxLength(100, signInMessages.wrong),
  ),
  password: v.pipe(
    v.optional(v.string(signInMessages.noPassword), ''),
    v.nonEmpty(signInMessages.noPassword),
    v.maxLength(200, signInMessages.wrong),
  ),
});

/** `awaits_code` 1: the second factor is still missing, and the token is only accepted by `confirmSignIn`. */
export const SignedIn = v.object({
  token: v.string(),
  identity: v.picklist(identities),
  permissions: v.array(v.picklist(permissions)),
  awaits_code: FlagNumber,
});

/** The current user, as the frame around every screen needs them. */
export const Me = v.object({
  id: v.number(),
  identity: v.picklist(identities),
  name: v.string(),
  permissions: v.array(v.picklist(permissions)),
  /** 1: an administrator of all schools. */
  every_school: FlagNumber,
  /** 1: the user must choose a password of their own before anything else. */
  must_change_password: FlagNumber,
  /** 1: the user must enter the code of their second factor before anything else. */
  awaits_code: FlagNumber,
  /** 1: the school requires a second factor, and the user must set one up before anything else. */
  must_set_second_factor: FlagNumber,
  settings: v.object({
    timezone: v.string(),
    switch_question_module: v.boolean(),
    class_homework_module: v.boolean(),
    community_module: v.boolean(),
    class_circle: v.boolean(),
    show_grade: v.boolean(),
    show_classify: v.boolean(),
    learn_page: v.boolean(),
    school_name: v.string(),
    /** URL of the logo; '' if there is none. */
    school_logo: v.string(),
  }),
});

export type SignedIn = v.InferOutput<typeof SignedIn>;
export type Me = v.InferOutput<typeof Me>;

export const loginPath = '/api/auth/login';
export const logoutPath = '/api/auth/logout';

export const showMe = callOfAllIdentities({
  method: 'GET',
  path: '/api/auth/me',
  title: '当前登录人',
  answer: Me,
  whileSigningIn: 'proving',
});
