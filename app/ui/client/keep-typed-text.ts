/**
 * React writes the text that the server sent into each text area that it takes over (of an empty one nothing), whatever
 * has been typed in it by then. That one time it does not.
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
