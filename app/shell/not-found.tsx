import { data } from 'react-router';
import { notThere } from '../lib/address.ts';

const notFound = () => data({ msg: notThere }, { status: 404 });

export function loader() {
  throw notFound();
}

export function action() {
  throw notFound();
}

/** Never shown: with it the route is a page, so that the refusal above becomes the error page. */
export default function NotFound() {
  return null;
}
