/** The keys and the closing of menus, for pages that run no other client JS. */
import './keys/menus.ts';
import './keys/quick-keys.ts';
