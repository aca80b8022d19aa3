/** A GET form. Its fields become search parameters of `href`. */
import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import { HiddenFields } from './hidden-fields.tsx';

interface AddressFormProps {
  href: string;
  /** Id of the form, for fields that are elsewhere on the page. */
  id?: string;
  /** Search parameter that a field of the form replaces. */
  replacedParam?: string;
  className?: string | undefined;
  style?: CSSProperties;
  /** Accessible name of the form, if the label of its button is not enough. */
  label?: string | undefined;
  children: ReactNode;
}

export function AddressForm({ href, id, replacedParam, className, style, label, children }: AddressFormProps) {
  // Browsers drop the query of a GET form's action, so the parameters of `href` become hidden fields.
  const [path = '', search = ''] = href.split('?');
  return (
    <form id={id} action={path} className={className} style={style} aria-label={label}>
      <HiddenFields fields={[...new URLSearchParams(search)].filter(([name]) => name !== replacedParam)} />
      {children}
    </form>
  );
}

type AddressButtonProps = Omit<ComponentProps<'button'>, 'type'> & { name: string; value: string | number };

/** A button that adds a parameter to the address. Its look depends on its class. */
export const AddressButton = (button: AddressButtonProps) => <button type="submit" {...button} />;
