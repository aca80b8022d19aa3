/** Writes into a field as if it were typed: the form around it hears of it, and so does React. */
export function writeInto(field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string): void {
  // React overrides `value` on the element itself to know what it wrote; the prototype's setter is a user's typing.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
