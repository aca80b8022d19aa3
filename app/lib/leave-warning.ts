/** Makes the browser confirm leaving the page. Chrome before 119 needs returnValue. */
export function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
  event.returnValue = true;
}
