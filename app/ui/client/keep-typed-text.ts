/**
 * Keeps text typed before hydration: React would reset each textarea to the server's text once. Overrides that single
 * write.
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
