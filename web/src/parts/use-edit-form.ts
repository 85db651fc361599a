// A form about something that other people edit, too. It keeps what it began with: what is read meanwhile changes nothing
// that was typed, and a save from an old version is refused, so nothing is overwritten. Whoever is refused loads the current
// version when ready. As long as nothing is typed, the form shows what is current.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Form, isSame, useForm, type Values } from './use-form.ts'

type Loaded<V extends Values, Version> = { readonly values: V; readonly version: Version }

export type EditForm<V extends Values> = Form<V> & {
  readonly isChanged: boolean
  /** Replaces what was typed by what is current. */
  reload(): void
}

/** `save` returns the new version. */
export function useEditForm<V extends Values, Version extends string | number>(
  loaded: Loaded<V, Version>,
  save: (values: V, version: Version) => Promise<Version>,
): EditForm<V> {
  const client = useQueryClient()
  const [begun, setBegun] = useState(loaded)
  const [seen, setSeen] = useState(loaded.version)
  const form = useForm(loaded.values, async (values) => {
    setBegun({ values, version: await save(values, begun.version) })
  })
  const isChanged = !isSame(form.values, begun.values)
  const begin = () => {
    setBegun(loaded)
    form.reset(loaded.values)
  }
  // The server may write what was saved in another way, as 50 and 50.00.
  const isWrittenAnew = loaded.version === begun.version && !isSame(loaded.values, begun.values)
  if (loaded.version !== seen) setSeen(loaded.version)
  if (!isChanged && (loaded.version !== seen || isWrittenAnew)) begin()
  const reload = () => {
    begin()
    void client.invalidateQueries()
  }
  return { ...form, isChanged, reload }
}
