/**
 * A campaign being filled in: input counts on the screen at once and is saved a moment later, one save at a time.
 * Another person's change is never overwritten without asking.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client';
import { type Campaign, type CampaignForm, conflictOf } from './campaigns';

const pauseMs = 700;

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed';

export interface Draft {
  form: CampaignForm;
  set(change: Partial<CampaignForm>): void;
  state: SaveState;
  error: unknown;
  /** Another person's version, if there is one. */
  theirs: Campaign | null;
  /** Saves the rest; returns the saved version, or null when it could not be saved. */
  settled(): Promise<string | null>;
  takeTheirs(): void;
  saveMine(): void;
}

export function useDraft(campaign: Campaign): Draft {
  const client = useQueryClient();
  const { campaignId } = campaign;
  const [form, setForm] = useState(campaign.form);
  const [state, setState] = useState<SaveState>('saved');
  const [error, setError] = useState<unknown>(null);
  const changes = useRef<Partial<CampaignForm>>({});
  const version = useRef(campaign.version);
  const running = useRef<Promise<boolean> | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isUnsaved = () => Object.keys(changes.current).length > 0;

  // Versions from elsewhere are shown while nothing on this page waits to be saved.
  useEffect(() => {
    if (running.current !== null || Object.keys(changes.current).length > 0) return;
    version.current = campaign.version;
    setForm(campaign.form);
  }, [campaign.version, campaign.form]);

  /** True when all input is saved. */
  function save(): Promise<boolean> {
    clearTimeout(timer.current);
    if (running.current !== null) return running.current;
    if (!isUnsaved()) return Promise.resolve(true);
    running.current = send().then((done) => {
      running.current = null;
      // Input typed meanwhile.
      return done ? save() : false;
    });
    return running.current;
  }

  async function send(): Promise<boolean> {
    const sent = changes.current;
    changes.current = {};
    setState('saving');
    try {
      const body = { ...sent, version: version.current };
      const { data } = await api.post('/campaigns/:campaignId', body, { campaignId });
      version.current = data.version;
      client.setQueryData(['campaign', campaignId], data);
      setError(null);
      setState(isUnsaved() ? 'unsaved' : 'saved');
      return true;
    } catch (fault) {
      changes.current = { ...sent, ...changes.current };
      setError(fault);
      setState('failed');
      return false;
    }
  }

  // The last words are saved when the page is left.
  const last = useRef(save);
  last.current = save;
  useEffect(() => () => void last.current(), []);

  const theirs = conflictOf<Campaign>(error);
  return {
    form,
    state,
    error,
    theirs,
    settled: async () => ((await save()) ? version.current : null),
    set: (change) => {
      changes.current = { ...changes.current, ...change };
      setForm((now) => ({ ...now, ...change }));
      setState('unsaved');
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void last.current(), pauseMs);
    },
    takeTheirs: () => {
      if (theirs === null) return;
      changes.current = {};
      version.current = theirs.version;
      setForm(theirs.form);
      setError(null);
      setState('saved');
      client.setQueryData(['campaign', campaignId], theirs);
    },
    saveMine: () => {
      if (theirs === null) return;
      version.current = theirs.version;
      setError(null);
      void save();
    },
  };
}
