// Sets up an authenticator app. Shows the secret as a QR code, and then asks for a code as proof.
import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import type { Refusal } from '../../api/refusal.ts'
import type { Reply } from '../../api/send.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useForm } from '../../parts/use-form.ts'
import { signInWords } from '../../words/sign-in.ts'
import { useWords } from '../../words/use-words.tsx'

type Props = { readonly enrolled: (codes: readonly string[] | undefined) => Promise<void> }

export function EnrolApp({ enrolled }: Props) {
  const signIn = useWords(signInWords)
  // The form keeps one secret while it is open, because a second secret would make the first one useless.
  const secret = useQuery<Reply<'POST /account/totp'>, Refusal>({
    queryKey: ['POST /account/totp'],
    queryFn: () => call('POST /account/totp', {}),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const form = useForm({ code: '' }, async ({ code }) => {
    const { recoveryCodes } = await call('POST /account/totp/confirm', { body: { code: code.trim() } })
    await enrolled(recoveryCodes)
  })
  return (
    <Loaded query={secret} lines={8}>
      {({ secret: text, qrSvg }) => (
        <Stack>
          <Text size="sm">{signIn.scan}</Text>
          <img
            className="qr"
            alt={signIn.qr}
            width={200}
            height={200}
            src={`data:image/svg+xml,${encodeURIComponent(qrSvg)}`}
          />
          <Group gap="xs" wrap="nowrap">
            <Text size="sm" c="dimmed">
              {signIn.secret}
            </Text>
            <span className="mono break">{text}</span>
            <CopyButton text={text} />
          </Group>
          <FormFrame form={form} action={signIn.confirmCode}>
            <TextInput
              label={signIn.codeOfApp}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={10}
              {...form.field('code')}
            />
          </FormFrame>
        </Stack>
      )}
    </Loaded>
  )
}
