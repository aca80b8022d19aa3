/** Signing in and out, outside the role prefixes, and who is signed in. */
import * as v from 'valibot';
import { withoutControls } from '#server/platform/calls/fields.ts';
import { call } from '#server/school/call.ts';
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

export const SignedIn = v.object({
  token: v.string(),
  identity: v.picklist(['teacher', 'assist']),
  permissions: v.array(v.picklist(['dispatch', 'correct'])),
});

/** The signed-in person, for the screens' frame. */
export const Me = v.object({
  id: v.number(),
  identity: v.picklist(['teacher', 'assist']),
  name: v.string(),
  permissions: v.array(v.picklist(['dispatch', 'correct'])),
  settings: v.object({
    timezone: v.string(),
    switch_question_module: v.boolean(),
    class_homework_module: v.boolean(),
    community_module: v.boolean(),
    class_circle: v.boolean(),
    show_grade: v.boolean(),
    show_classify: v.boolean(),
    school_name: v.string(),
    /** Of the picture's address; empty where the school has none. */
    school_logo: v.string(),
  }),
});

export type SignedIn = v.InferOutput<typeof SignedIn>;
export type Me = v.InferOutput<typeof Me>;

export const loginPath = '/api/auth/login';
export const logoutPath = '/api/auth/logout';

export const showMe = call({ method: 'GET', path: '/api/auth/me', title: '当前登录人', answer: Me });
