/**
 * The dialogs over the form are plain links and forms. Where client JS runs, they are followed without leaving the page,
 * and without a step of their own in the browser's history.
 */
import type { FormEvent, MouseEvent } from 'react';
import { useLocation, useNavigate, useSubmit } from 'react-router';
import { publish } from '../screens.ts';

export function useDialogNavigation() {
  const navigate = useNavigate();
  const submit = useSubmit();
  const { pathname: path, search: present } = useLocation();
  const here = path + present;
  return {
    onClick(event: MouseEvent) {
      const link = (event.target as Element).closest('a');
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!link || !isPlain || event.defaultPrevented || link.target !== '') return;
      const { origin, pathname, search, hash } = new URL(link.href);
      if (origin !== window.location.origin || !publish.covers(pathname)) return;
      event.preventDefault();
      void navigate(pathname + search + hash, { replace: true, preventScrollReset: true });
    },
    onSubmit(event: FormEvent<HTMLElement>) {
      const form = event.target as HTMLFormElement;
      if (event.defaultPrevented || form.enctype !== 'application/x-www-form-urlencoded') return;
      event.preventDefault();
      const { submitter } = event.nativeEvent as SubmitEvent;
      const isButton = submitter instanceof HTMLButtonElement;
      void submit(isButton ? submitter : form, {
        // A form without an address belongs to the dialog's, as in any page.
        action: (isButton && submitter.getAttribute('formaction')) || form.getAttribute('action') || here,
        replace: true,
        preventScrollReset: true,
      });
    },
  };
}
