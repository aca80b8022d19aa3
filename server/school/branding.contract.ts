/** Public facts of a school: name and logo, for the sign-in page. */
import * as v from 'valibot';
import { FlagNumber } from '#server/platform/calls/fields.ts';

export const Branding = v.object({
  school_name: v.string(),
  /** Version in the logo's address; '' if there is no logo. */
  school_logo: v.string(),
  /** 1 until an administrator has set the school up; nobody can sign in before. */
  awaits_setup: FlagNumber,
});
export type Branding = v.InferOutput<typeof Branding>;

export const brandingPath = '/api/school/face';
export const logoPath = '/api/school/logo';

export const missingLogo = '学校没有设置标志';
