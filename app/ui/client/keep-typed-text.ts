/**
 * Keeps text that was typed before hydration. React resets each textarea once to the server's text; this overrides that
 * single write.
 */
export function keepTypedText(place: ParentNode): void {
  const own = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value');
  if (!own) return;
  for (const area of place.querySelectorAll('textarea')) {
    if (area.defaultValue === '') continue;
    Object.defineProperty(area, 'value', {
      configurable: true,
      get: () => own.get?.call(area),
      set(text: string) {
        if (text !== area.defaultValue) return own.set?.call(area, text);
        Reflect.deleteProperty(area, 'value');
      },
    });
  }
}
