/** Sets a field's value as if it were typed, so that the form and React notice the change. */
export function writeInto(field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string): void {
  // React overrides `value` on the element to track its own writes. The setter of the prototype bypasses that.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
