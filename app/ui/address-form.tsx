/** A form that leads to an address; what its fields say is added there. */
import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import { HiddenFields } from './hidden-fields.tsx';

interface AddressFormProps {
  href: string;
  /** By which fields elsewhere on the page belong to it. */
  id?: string;
  /** The search param that a field of the form says. */
  says?: string;
  className?: string | undefined;
  style?: CSSProperties;
  /** What it is for, where its button alone does not say it. */
  label?: string | undefined;
  children: ReactNode;
}

export function AddressForm({ href, id, says, className, style, label, children }: AddressFormProps) {
  // The search params of a GET form's own address are lost: they travel as fields.
  const [path = '', search = ''] = href.split('?');
  return (
    <form id={id} action={path} className={className} style={style} aria-label={label}>
      <HiddenFields fields={[...new URLSearchParams(search)].filter(([name]) => name !== says)} />
      {children}
    </form>
  );
}

type AddressButtonProps = Omit<ComponentProps<'button'>, 'type'> & { name: string; value: string | number };

/** A button of such a form that says something in the address itself. Looks as its class says. */
export const AddressButton = (button: AddressButtonProps) => <button type="submit" {...button} />;
