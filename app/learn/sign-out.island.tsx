/**
 * Deletes the learner's photographs from this browser at sign-out, because the next person may use the same device. Asks
 * first if the server has not saved some of them. Plain DOM code.
 */
import { dropPhoto, photosOf } from './photo-store.ts';

/** Milliseconds that reading the storage may delay the sign-out. */
const storageTimeout = 2_000;

const props = document.querySelector('[data-props="sign-out.island"]')?.textContent;
const form = document.querySelector('[data-island="sign-out.island"]')?.closest('form');
if (props && form) clearAtSignOut(form, JSON.parse(props));

function clearAtSignOut(form: HTMLFormElement, { person }: { person: string }): void {
  let isCleared = false;
  form.addEventListener('submit', (event) => {
    if (isCleared) return;
    event.preventDefault();
    void clear().then((isAgreed) => {
      if (!isAgreed) return;
      isCleared = true;
      form.requestSubmit();
    });
  });

  /** Returns false if the learner stays signed in to save the photographs first. */
  const clear = async (): Promise<boolean> => {
    const slow = new Promise<undefined>((resolve) => setTimeout(resolve, storageTimeout));
    const kept = (await Promise.race([photosOf(person), slow])) ?? [];
    const words = `有${kept.length}张照片还没有保存到学校，退出会从这台设备上删除它们。仍要退出吗？`;
    if (kept.length > 0 && !confirm(words)) return false;
    await Promise.race([Promise.all(kept.map(({ id }) => dropPhoto(id))), slow]);
    return true;
  };
}
