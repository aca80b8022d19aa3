import type { TestResult } from '#server/settings/contract.ts';
import type { Refused } from '../ui/form-state.ts';

/** `of`: which form of the screen. `tried`: response of a tested service; the form keeps its values. */
export interface SettingsFormResult extends Refused {
  of: 'settings' | 'logo';
  tried?: TestResult;
}

export interface FormProps {
  idempotencyKey: string;
  sent: SettingsFormResult | undefined;
}
