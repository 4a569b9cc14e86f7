/** The gateway's catalogue of codes. It does not change while the gateway runs. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';

export interface Reason {
  code: string;
  scope: 'request' | 'recipient' | 'outcome';
  httpStatus: number | null;
  retryable: boolean;
  billed: 'no' | 'yes' | 'if_sent';
  issued: boolean;
  title: string;
  cause: string[];
  fix: string[];
}

export function useReasons(enabled = true) {
  return useQuery({
    queryKey: ['reasons'],
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await api.get('/reasons')).data.map(inOurLanguage),
  });
}

/** For a code without a translation: the gateway's own words. */
function inOurLanguage(reason: Reason): Reason {
  return { ...reason, ...labelsOf('reasonTexts')[reason.scope][reason.code] };
}

/** The meaning of a code; in English the gateway's own sentence, which is about the case at hand. */
export function meaningOf(scope: Reason['scope'], code: string, sentence: string): string {
  return labelsOf('reasonTexts')[scope][code]?.title ?? sentence;
}

/** Reasons in which every word of the text occurs. */
export function found(list: readonly Reason[], text: string): Reason[] {
  const words = text.toLowerCase().split(/\s+/);
  return list.filter(({ code, title, cause, fix }) => {
    const searched = [code, title, ...cause, ...fix].join(' ').toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
