/** Goes to the identity provider; it sends the browser back to `/login/sso`. */
import { api } from '../../api/client';

/** `next`: where the person wanted to go. */
export async function goToProvider(next: string | undefined): Promise<void> {
  const { url } = (await api.post('/sign-in/sso/begin', { next: next ?? null })).data;
  location.assign(url);
}
