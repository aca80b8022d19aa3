import type { TestResult } from '#server/settings/contract.ts';
import type { RefusedForm } from '../ui/form-state.ts';

/**
 * Response to a settings form. `of` names the form. `tried` is the result of testing a service; the form keeps its
 * values.
 */
export interface SettingsFormResult extends RefusedForm {
  of: 'settings' | 'logo';
  tried?: TestResult;
}

export interface FormProps {
  idempotencyKey: string;
  sent: SettingsFormResult | undefined;
}
