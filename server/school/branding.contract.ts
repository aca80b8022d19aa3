/** Public data of a school: name and logo, for the sign-in page. */
import * as v from 'valibot';
import { FlagNumber } from '#server/platform/calls/fields.ts';

export const Branding = v.object({
  school_name: v.string(),
  /** Version that is part of the logo's URL; '' if there is no logo. */
  school_logo: v.string(),
  /** 1: the school still has to be set up by an administrator, and nobody can sign in yet. */
  awaits_setup: FlagNumber,
});
export type Branding = v.InferOutput<typeof Branding>;

export const brandingPath = '/api/school/face';
export const logoPath = '/api/school/logo';

export const missingLogo = '学校没有设置标志';
