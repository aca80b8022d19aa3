/** What a form of the settings comes back with. */
import type { Tried } from '#server/settings/contract.ts';
import type { Refused } from '../ui/form-state.ts';

/** `of`: which of the screen's forms it was. `tried`: what a service answered; the form is as it was typed. */
export interface Sent extends Refused {
  of: 'settings' | 'logo';
  tried?: Tried;
}

export interface FormProps {
  idempotencyKey: string;
  sent: Sent | undefined;
}
