import type { TestResult } from '#server/settings/contract.ts';
import type { RefusedForm } from '../ui/form-state.ts';

/** `of`: which form of the screen. `tried`: response of a tested service; the form keeps its values. */
export interface SettingsFormResult extends RefusedForm {
  of: 'settings' | 'logo';
  tried?: TestResult;
}

export interface FormProps {
  idempotencyKey: string;
  sent: SettingsFormResult | undefined;
}
