/**
 * The user for whom a form was opened. The form sends it along, because different users may sign in in tabs of one
 * browser.
 */

export interface FormOwner {
  id: number;
  name: string;
}

/** Hidden field in every posted form (app/ui/form.tsx). It names the user for whom the form was opened. */
export const formOwnerField = 'form_of';
/** Header in requests of scripts. It names the user for whom the form was opened. */
const ownerHeader = 'form-of';

export const ownerValue = ({ id, name }: FormOwner): string => `${id} ${name}`;

export function readOwner(value: string): FormOwner | undefined {
  const [, id, name = ''] = /^(\d+) (.*)$/su.exec(value) ?? [];
  return id === undefined ? undefined : { id: Number(id), name };
}

export const ownerHeaders = (owner: FormOwner): Record<string, string> => ({
  [ownerHeader]: encodeURIComponent(ownerValue(owner)),
});

/** Returns the header with the user of the form that contains an element. */
export function ownerHeadersAt(element: Element): Record<string, string> {
  const field = element.closest('form')?.elements.namedItem(formOwnerField);
  const owner = field instanceof HTMLInputElement ? readOwner(field.value) : undefined;
  return owner ? ownerHeaders(owner) : {};
}

export function ownerInHeaders(headers: Headers): FormOwner | undefined {
  try {
    return readOwner(decodeURIComponent(headers.get(ownerHeader) ?? ''));
  } catch {
    return undefined;
  }
}

export const ownerOf = (fields: Iterable<readonly [name: string, value: unknown]>): FormOwner | undefined => {
  for (const [name, value] of fields) if (name === formOwnerField) return readOwner(String(value));
  return undefined;
};

/**
 * Message if another user has signed in since the form was opened. The text also distinguishes two users of the same
 * name.
 */
export const othersFormMessage = (owner: FormOwner, person: FormOwner): string =>
  owner.name === person.name
    ? `此内容由另一位${owner.name}填写，与当前登录的不是同一人，未提交。请由填写的人登录后继续提交`
    : `此内容由${owner.name}填写，当前登录的是${person.name}，未提交。请由${owner.name}登录后继续提交`;
