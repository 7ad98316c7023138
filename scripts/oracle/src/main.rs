//! Prints seeded random delegations and what the Stake program's own crate computes for them, in both its integer and its float
//! arithmetic, as JSON.
//! The output is stored in test/fixtures/stake-activation-oracle.json, whose first lines name the command that regenerates it.
#![allow(deprecated)]
use solana_pubkey::Pubkey;
use solana_stake_interface::{
    stake_history::{StakeHistory, StakeHistoryEntry},
    state::Delegation,
    warmup_cooldown_allowance::calculate_activation_allowance,
};

const SOL: u64 = 1_000_000_000;
const CLUSTERS: usize = 40;
const DELEGATIONS: usize = 10;
const ALLOWANCES: usize = 60;
const EPOCHS: u64 = 10;
/// The program itself assumes that the 9 % rate has always applied.
const NEW_RATE: Option<u64> = Some(0);

/// xorshift64*: the same sequence on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
    /// Returns lamports of every magnitude up to `most`. Most are large, because only amounts beyond 2^53 show the last bits of
    /// the arithmetic.
    fn amount(&mut self, most: u64) -> u64 {
        if self.below(4) > 0 {
            return most / 50 + self.below(most - most / 50);
        }
        let bits = 64 - most.leading_zeros() as u64;
        let shift = self.below(bits);
        (self.next() >> (64 - bits) >> shift).min(most)
    }
}

fn allowance(random: &mut Random) -> String {
    let (remaining, moving) = (random.amount(u64::MAX).max(1), random.amount(u64::MAX).max(1));
    let effective = random.amount(u64::MAX);
    let before = StakeHistoryEntry { effective, activating: moving, deactivating: 0 };
    let moved = calculate_activation_allowance(1, remaining, &before, NEW_RATE).max(1);
    format!("[\"{remaining}\",\"{moving}\",\"{effective}\",\"{moved}\"]")
}

fn history(random: &mut Random, most: u64) -> (StakeHistory, Vec<String>) {
    let mut history = StakeHistory::default();
    let mut rows = Vec::new();
    for epoch in 0..EPOCHS {
        let effective = random.amount(most).max(1);
        // Often moves far more than 9 %, sometimes nothing.
        let mut moving = || if random.below(6) == 0 { 0 } else { random.amount(most) };
        let (activating, deactivating) = (moving(), moving());
        history.add(epoch, StakeHistoryEntry { effective, activating, deactivating });
        rows.push(format!("[\"{effective}\",\"{activating}\",\"{deactivating}\"]"));
    }
    (history, rows)
}

fn life(random: &mut Random, most: u64, history: &StakeHistory) -> String {
    let stake = random.amount(most).max(1);
    let activation = random.below(EPOCHS - 1);
    let deactivation = match random.below(3) {
        0 => u64::MAX,
        _ => activation + random.below(EPOCHS - activation),
    };
    let delegation = Delegation {
        voter_pubkey: Pubkey::default(),
        stake,
        activation_epoch: activation,
        deactivation_epoch: deactivation,
        ..Delegation::default()
    };
    let answers: Vec<String> = (activation..=EPOCHS)
        .map(|epoch| {
            let integer = delegation.stake_activating_and_deactivating_v2(epoch, history, NEW_RATE);
            let float = delegation.stake_activating_and_deactivating(epoch, history, NEW_RATE);
            format!(
                "[\"{}\",\"{}\",\"{}\",\"{}\",\"{}\",\"{}\"]",
                integer.effective, integer.activating, integer.deactivating,
                float.effective, float.activating, float.deactivating
            )
        })
        .collect();
    let until = if deactivation == u64::MAX { "null".into() } else { format!("{deactivation}") };
    format!("{{\"stake\":\"{stake}\",\"activation\":{activation},\"deactivation\":{until},\"answers\":[{}]}}", answers.join(","))
}

fn main() {
    let mut random = Random(20_261_122);
    let allowances: Vec<String> = (0..ALLOWANCES).map(|_| allowance(&mut random)).collect();
    let clusters: Vec<String> = (0..CLUSTERS)
        .map(|i| {
            let most = [40 * SOL, 400_000_000 * SOL, u64::MAX / 20, u64::MAX / 2][i % 4];
            let (history, rows) = history(&mut random, most);
            let lives: Vec<String> =
                (0..DELEGATIONS).map(|_| life(&mut random, most, &history)).collect();
            format!("{{\"history\":[{}],\n\"lives\":[\n{}]}}", rows.join(","), lives.join(",\n"))
        })
        .collect();
    println!("{{\"crate\":\"solana-stake-interface 4.0.0\",");
    println!("\"command\":\"cargo run --release --locked --manifest-path scripts/oracle/Cargo.toml --target-dir /tmp/holdfast-oracle > test/fixtures/stake-activation-oracle.json\",");
    println!("\"allowanceMembers\":[\"remaining\",\"moving\",\"clusterEffective\",\"moved\"],\n\"allowances\":[\n{}],", allowances.join(",\n"));
    println!("\"historyMembers\":[\"effective\",\"activating\",\"deactivating\"],");
    println!("\"answerMembers\":[\"effective\",\"activating\",\"deactivating\",\"float64 effective\",\"float64 activating\",\"float64 deactivating\"],");
    println!("\"clusters\":[\n{}]}}", clusters.join(",\n"));
}
