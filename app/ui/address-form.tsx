/** A GET form whose fields become search params of `href`. */
import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import { HiddenFields } from './hidden-fields.tsx';

interface AddressFormProps {
  href: string;
  /** Form id, for fields elsewhere on the page. */
  id?: string;
  /** Search param that a field of the form replaces. */
  says?: string;
  className?: string | undefined;
  style?: CSSProperties;
  /** Accessible name, where the button's label is not enough. */
  label?: string | undefined;
  children: ReactNode;
}

export function AddressForm({ href, id, says, className, style, label, children }: AddressFormProps) {
  // Browsers drop the query of a GET form's action, so its params become hidden fields.
  const [path = '', search = ''] = href.split('?');
  return (
    <form id={id} action={path} className={className} style={style} aria-label={label}>
      <HiddenFields fields={[...new URLSearchParams(search)].filter(([name]) => name !== says)} />
      {children}
    </form>
  );
}

type AddressButtonProps = Omit<ComponentProps<'button'>, 'type'> & { name: string; value: string | number };

/** A button that adds a param to the address. Its class sets the look. */
export const AddressButton = (button: AddressButtonProps) => <button type="submit" {...button} />;
