"""Chinese surnames in Latin letters, for citation keys: people type keys, and not every BibTeX takes other letters.

The commonest few hundred, simplified and traditional, in Hanyu Pinyin without tones (ISO 7098; ü is written v), read as
a surname is read (单 is Shan). A surname that is not listed has no spelling; the key is then made of other parts.
"""

from __future__ import annotations

_SPELT = """
ai艾 an安 bai白柏 ban班 bao包鲍鮑 bi毕畢 bian卞边邊 bo薄 bu卜步 cai蔡 cang苍 cao曹 cen岑 chai柴 chang常
che车車 chen陈陳谌諶 cheng程成 chi池迟遲 chong种 chu褚楚储儲 cui崔 dai戴代 dang党 deng邓鄧 di狄 diao刁 ding丁
dong董 dou窦竇 du杜都 duan段 e鄂 fan范范樊 fang方房 fei费費 feng冯馮封丰豐 fu傅付符扶 gan甘 gao高 ge葛戈 geng耿
gong龚龔宫宮公巩鞏 gou苟缑 gu顾顧古谷 guan关關管官 gui桂 guo郭 ha哈 hai海 han韩韓 hang杭 hao郝 he何贺賀和赫 hei黑
heng衡 hong洪弘 hou侯 hu胡扈 hua华華花 huai怀懷 huan桓 huang黄黃 hui惠 huo霍 ji季纪紀吉姬冀嵇 jia贾賈 jian简簡
jiang江姜蒋蔣 jiao焦 jin金晋晉靳 jing景荆荊井 ju鞠居 kan阚闞 kang康 ke柯 kong孔 kou寇 kuai蒯 kuang匡邝鄺
lai赖賴来來 lan兰蘭蓝藍 lang郎 lao劳勞 lei雷 leng冷 li李黎厉厲郦酈利 lian连連练練 liang梁 liao廖 lin林蔺藺 ling凌
liu刘劉柳 long龙龍 lou娄婁楼樓 lu卢盧陆陸鲁魯路吕禄祿芦蘆 luan栾欒 luo罗羅骆駱洛 ma马馬麻 mai麦麥 man满滿 mao毛茅 mei梅
men门門 meng孟蒙 mi米 miao苗缪繆 min闵閔 ming明 mo莫 mou牟 mu穆慕木 na那 ni倪 nie聂聶 ning宁寧甯 niu牛钮鈕
nong农農 ou欧歐区 pan潘 pang庞龐 pei裴 peng彭 pi皮 ping平 pu蒲濮浦 qi齐齊戚祁漆 qian钱錢 qiang强強 qiao乔喬
qin秦覃 qiu邱丘仇裘 qu曲屈瞿 quan全权權 ran冉 rao饶饒 ren任 rong荣榮容戎 ru茹汝 ruan阮 rui芮 sa萨薩 sang桑 sha沙
shan单單山 shang尚商 shao邵 she佘 shen沈申 sheng盛 shi石史施师師时時 shou寿壽 shu舒 shuai帅帥 si司 song宋
su苏蘇粟 sui隋眭 sun孙孫 suo索 tai邰 tan谭譚谈談 tang唐汤湯 tao陶 teng滕 tian田 tie铁鐵 tong童佟 tu涂塗屠 wan万萬
wang王汪 wei魏韦韋卫衛危 wen温溫文闻聞 weng翁 wu吴吳武伍邬鄔乌烏巫 xi席习習奚郗 xia夏 xian冼鲜鮮 xiang向项項 xiao肖萧蕭
xie谢謝解 xin辛 xing邢 xiong熊 xiu修 xu徐许許胥 xuan宣 xue薛 xun荀 yan严嚴颜顏阎閻闫閆晏燕鄢 yang杨楊阳陽羊 yao姚
ye叶葉 yi易伊 yin尹殷阴陰 ying应應 yong雍 you尤游 yu于余俞喻虞郁禹 yuan袁苑 yue岳乐樂 yun云雲 zang臧 zeng曾 zha查
zhai翟 zhan詹占战戰 zhang张張章 zhao赵趙 zhen甄 zheng郑鄭 zhong钟鐘鍾仲 zhou周 zhu朱祝诸諸竺 zhuang庄莊 zhuo卓
zong宗 zou邹鄒 zu祖 zuo左 lv吕呂 ouyang欧阳歐陽 shangguan上官 sima司马司馬 zhuge诸葛諸葛 situ司徒 huangfu皇甫
dongfang东方東方 murong慕容 xiahou夏侯 linghu令狐 yuwen宇文 zhangsun长孙長孫 duanmu端木 gongsun公孙公孫
dugu独孤獨孤 nangong南宫南宮
"""
_DOUBLE = 2  # characters of a surname of two


def _read() -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in _SPELT.split():
        letters = entry.rstrip("".join(c for c in entry if not c.isascii()))
        characters = entry[len(letters) :]
        size = _DOUBLE if letters in _OF_TWO else 1
        for at in range(0, len(characters), size):
            found[characters[at : at + size]] = letters.capitalize()
    return found


_OF_TWO = frozenset(
    "ouyang shangguan sima zhuge situ huangfu dongfang murong xiahou linghu yuwen zhangsun duanmu gongsun dugu "
    "nangong".split()
)
_LATIN = _read()


def latin(name: str) -> str:
    """The surname at the start of ``name`` in Latin letters ("Li"); "" when it is not in the list."""
    return _LATIN.get(name[:2]) or _LATIN.get(name[:1], "")
