/** The keys and the closing of menus, for pages that run no other client JS. */
import './menus.ts';
import './quick-keys.ts';
