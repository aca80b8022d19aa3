import { useRootData } from './root-data.ts';

/** The signed-in user, on every screen inside the frame. */
export function usePerson() {
  return useRootData()?.me;
}

/** The school's time zone (IANA name). */
export function useTimezone(): string {
  return usePerson()?.settings.timezone ?? 'Asia/Shanghai';
}

/** Unix seconds by the school's clock, when the page was rendered. */
export function useNow(): number {
  return useRootData()?.now ?? 0;
}

/** Returns whether the school shows grades and classifications. */
export function useFieldVisibility(): { grade: boolean; classify: boolean } {
  const settings = usePerson()?.settings;
  return { grade: settings?.show_grade ?? true, classify: settings?.show_classify ?? true };
}
