import { useRootData } from './root-data.ts';

/** Returns the signed-in user, on every screen inside the frame. */
export function usePerson() {
  return useRootData()?.me;
}

/** Returns the school's time zone (IANA name). */
export function useTimezone(): string {
  return usePerson()?.settings.timezone ?? 'Asia/Shanghai';
}

/** Returns the time at which the page was rendered, in unix seconds by the school's clock. */
export function useNow(): number {
  return useRootData()?.now ?? 0;
}

/** Returns whether the school shows grades and categories. */
export function useFieldVisibility(): { grade: boolean; classify: boolean } {
  const settings = usePerson()?.settings;
  return { grade: settings?.show_grade ?? true, classify: settings?.show_classify ?? true };
}
