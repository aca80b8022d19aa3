/** Logo and name of the school, or of the product. */
import type { Branding } from '#server/school/branding.contract.ts';
import styles from './school-logo.module.css';
import { schoolLogo } from './screens.ts';

/** Inline SVG, because that saves a request. The same as public/icon.svg. */
const productSign = {
  __html:
    '<rect width="32" height="32" rx="7" fill="#1971c2"/><path d="M8 9h11a4 4 0 0 1 4 4v10H12a4 4 0 0 1-4-4zm4.5 7 3 3 5-6" fill="none" stroke="#fff" stroke-width="2.3" stroke-linejoin="round"/>',
};

interface SignProps {
  face: Pick<Branding, 'school_name' | 'school_logo'> | undefined;
  /** Name that is shown if the school has none. */
  unnamed?: string;
}

export function SchoolLogo({ face, unnamed = '教学后台' }: SignProps) {
  return (
    <>
      {face?.school_logo ? (
        <img className={styles.sign} src={`${schoolLogo.href()}?${face.school_logo}`} alt="" />
      ) : (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of this file.
        <svg className={styles.sign} viewBox="0 0 32 32" aria-hidden="true" dangerouslySetInnerHTML={productSign} />
      )}
      <span className={styles.name}>{face?.school_name || unnamed}</span>
    </>
  );
}
