import { data } from 'react-router';
import { notFoundMessage } from '../lib/address.ts';

const notFound = () => data({ msg: notFoundMessage }, { status: 404 });

export function loader() {
  throw notFound();
}

export function action() {
  throw notFound();
}

/** Never rendered. With a component the route is a page, so the 404 that its loader throws becomes the error page. */
export default function NotFound() {
  return null;
}
