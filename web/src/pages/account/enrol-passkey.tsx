import { TextInput } from '@mantine/core'
import { call } from '../../api/call.ts'
import { createPasskey, NoPasskey } from '../../api/passkeys.ts'
import { Refusal } from '../../api/refusal.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useForm } from '../../parts/use-form.ts'
import { signInWords } from '../../words/sign-in.ts'
import { useWords } from '../../words/use-words.tsx'

type Props = { readonly enrolled: (codes: readonly string[] | undefined) => Promise<void> }

export function EnrolPasskey({ enrolled }: Props) {
  const signIn = useWords(signInWords)
  const form = useForm({ name: '' }, async ({ name }) => {
    const passkey = await createPasskey().catch((error: unknown) => {
      throw error instanceof NoPasskey ? new Refusal('refused', signIn.passkeyFailed) : error
    })
    const { recoveryCodes } = await call('POST /account/passkeys', { body: { name, passkey } })
    await enrolled(recoveryCodes)
  })
  return (
    <FormFrame form={form} action={signIn.createPasskey} disabled={form.values.name.trim() === ''}>
      <TextInput
        label={signIn.passkeyName}
        description={signIn.passkeyNameHint}
        maxLength={60}
        {...form.field('name')}
      />
    </FormFrame>
  )
}
