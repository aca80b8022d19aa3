/** Lets the browser ask whether the page shall be left. Chrome before 119 goes by what the event is to return. */
export function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
  event.returnValue = true;
}
