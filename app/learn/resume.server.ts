import { textOf } from '../lib/form-data.ts';
import { safeRedirect } from '../lib/safe-redirect.ts';
import { splitFields } from '../shell/posted-form.server.ts';
import { learnHome } from './screens.ts';

/** A form that was posted after the session had expired. */
export interface PostedAgain {
  path: string;
  fields: readonly (readonly [string, string])[];
}

/** Reads the form that a sign-in form carries along; undefined if none. */
export const readResume = (form: FormData): PostedAgain | undefined =>
  form.has('resume')
    ? { path: safeRedirect(textOf(form, 'resume'), learnHome.href()), fields: splitFields(textOf(form, 'resume_body')) }
    : undefined;
