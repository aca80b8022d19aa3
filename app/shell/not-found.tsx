import { data } from 'react-router';
import { notFoundMessage } from '../lib/address.ts';

const notFound = () => data({ msg: notFoundMessage }, { status: 404 });

export function loader() {
  throw notFound();
}

export function action() {
  throw notFound();
}

/** Never rendered. Makes the route a page, so that the 404 above becomes the error page. */
export default function NotFound() {
  return null;
}
