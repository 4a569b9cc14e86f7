/** Goes to the identity provider; it sends the browser back to `/login/sso`. */
import { api } from '../../api/client';

/** `next`: where the person wanted to go. `again`: the provider asks who is there, though it may know. */
export async function goToProvider(next: string | undefined, again: boolean): Promise<void> {
  const { url } = (await api.post('/sign-in/sso/begin', { next: next ?? null, again })).data;
  location.assign(url);
}
