/** A form all of whose fields client JS checks (checked.tsx), on a screen that hydrates. */
import { Checked, type CheckedProps, type Schema } from './checked.tsx';
import { Form, type FormProps } from './form.tsx';

export function CheckedForm<S extends Schema>(props: CheckedProps<S> & Omit<FormProps, keyof CheckedProps<S>>) {
  const { schema, read, refused, values, children, ...form } = props;
  return (
    <Form {...form} refused={refused && { ...refused, msg: '' }}>
      <Checked schema={schema} read={read} refused={refused} values={values ?? {}}>
        {children}
      </Checked>
    </Form>
  );
}
