/** What anybody may know of a school: its name and its logo, for the sign-in page. */
import * as v from 'valibot';
import { FlagNumber } from '#server/platform/calls/fields.ts';

export const Branding = v.object({
  school_name: v.string(),
  /** Of the picture's address; empty where the school has none. */
  school_logo: v.string(),
  /** 1: nobody can sign in before an administrator has set the school up. */
  awaits_setup: FlagNumber,
});
export type Branding = v.InferOutput<typeof Branding>;

export const brandingPath = '/api/school/face';
export const logoPath = '/api/school/logo';

export const missingLogo = '学校没有设置标志';
