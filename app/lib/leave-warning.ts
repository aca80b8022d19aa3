/** Makes the browser ask before the page is left. Chrome before 119 needs returnValue. */
export function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
  event.returnValue = true;
}
